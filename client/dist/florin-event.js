// What happened, with the data that belongs to what happened: `event.type` tells which.
const every_noun_is_known = true;
void every_noun_is_known;
export {};
