// Made by client/generate.ts from docs/reference/openapi.json. Do not edit.
export {};
