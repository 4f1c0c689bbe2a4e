// What one call to Florin is, and what its caller may ask of it.
export {};
