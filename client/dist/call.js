// One API call, and the options that callers can set.
export {};
