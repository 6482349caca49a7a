const WINDOW_MS = 10_000
/** Maximum number of different lines per group and window. Further ones are only counted. */
const MAX_LINES = 500

interface Window<Line> {
	repeats: Map<string, { line: Line; count: number }>
	beyond: number
}

export interface RepeatedLinesWriter<Line> {
	/** Writes a line. Lines that differ only in `more` count as equal. */
	write(line: Line, more: object): void
	/** Writes the number of different lines of a group that exceeded the limit. */
	writeBeyond(group: string, count: number): void
}

/**
 * Writes the first of equal lines immediately, and the repetitions within ten seconds as one line with their number, so that a
 * flood does not fill the disk. Each group has its own limit, so that a flood in one does not hide lines of another.
 */
export class RepeatedLines<Line extends object> {
	readonly #writer: RepeatedLinesWriter<Line>
	readonly #windows = new Map<string, Window<Line>>()
	#timer: NodeJS.Timeout | undefined

	constructor(writer: RepeatedLinesWriter<Line>) {
		this.#writer = writer
	}

	/** Writes or counts a line. `more` is added to the first of equal lines only. */
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

	/** Writes the counts of the current window and starts a new one. */
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
