const WINDOW_MS = 10_000
/** Different lines of one group in a window; further ones are only counted. */
const MAX_LINES = 500

interface Window<Line> {
	repeats: Map<string, { line: Line; count: number }>
	beyond: number
}

export interface RepeatedLinesWriter<Line> {
	/** Writes a line, with `more` that does not tell lines apart. */
	write(line: Line, more: object): void
	/** Writes how many different lines of a group were left out. */
	writeBeyond(group: string, count: number): void
}

/**
 * Writes the first of equal lines at once, and those within the same ten seconds as one with `repeats`: a flood fills no disk.
 * Each group has its own limit, so that none hides another.
 */
export class RepeatedLines<Line extends object> {
	readonly #writer: RepeatedLinesWriter<Line>
	readonly #windows = new Map<string, Window<Line>>()
	#timer: NodeJS.Timeout | undefined

	constructor(writer: RepeatedLinesWriter<Line>) {
		this.#writer = writer
	}

	/** `more` is written with the first of equal lines. */
	add(group: string, line: Line, more: object): void {
		this.#timer ??= setTimeout(() => this.flush(), WINDOW_MS).unref()
		const window: Window<Line> = this.#windows.get(group) ?? { repeats: new Map(), beyond: 0 }
		this.#windows.set(group, window)
		const key = JSON.stringify(line)
		const known = window.repeats.get(key)
		if (known) known.count++
		else if (window.repeats.size >= MAX_LINES) window.beyond++
		else {
			window.repeats.set(key, { line, count: 0 })
			this.#writer.write(line, more)
		}
	}

	/** Writes what was counted, and begins a new window. */
	flush(): void {
		clearTimeout(this.#timer)
		this.#timer = undefined
		for (const [group, { repeats, beyond }] of this.#windows) {
			for (const { line, count } of repeats.values()) if (count > 0) this.#writer.write(line, { repeats: count })
			if (beyond > 0) this.#writer.writeBeyond(group, beyond)
		}
		this.#windows.clear()
	}
}
