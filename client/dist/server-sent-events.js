// Server-sent events out of text that comes in pieces, cut anywhere.
export class BlockReader {
    /** The id of the last whole block, also of one without data: where to go on after it. */
    last_id;
    #rest = '';
    #id;
    #data = [];
    /** The blocks that this piece completes. */
    push(piece) {
        const text = this.#rest + piece;
        // A carriage return at the end may be half of a line's end.
        const held = text.endsWith('\r') ? '\r' : '';
        const lines = text.slice(0, text.length - held.length).split(/\r\n|\n|\r/);
        this.#rest = lines.pop() + held;
        return lines.flatMap((line) => this.#read(line));
    }
    #read(line) {
        if (line === '')
            return this.#finish();
        const colon = line.indexOf(':');
        const name = colon === -1 ? line : line.slice(0, colon);
        const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (name === 'data')
            this.#data.push(value);
        if (name === 'id')
            this.#id = value;
        return [];
    }
    /** A block without data, such as a heartbeat, is no event. */
    #finish() {
        const data = this.#data;
        this.#data = [];
        this.last_id = this.#id;
        return data.length === 0 ? [] : [{ id: this.#id, data: data.join('\n') }];
    }
}
