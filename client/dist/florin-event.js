// Events, as a union by `type`, so that `type` determines the type of `data`.
const every_noun_is_known = true;
void every_noun_is_known;
export {};
