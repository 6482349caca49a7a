import { useState } from 'react'

interface Sample {
	/** Milliseconds since 1970. */
	at: number
	done: number
}

interface RateInput extends Sample {
	/** ISO 8601; null before the start. */
	startedAt: string | null
}

/** Milliseconds over which the rate is measured, so that it neither jumps nor lags behind a pause. */
const WINDOW_MS = 30_000

/** Returns the increase of `done` per second; null until two readings, or one reading and the start, are a second apart. */
export function useRate({ done, at, startedAt }: RateInput): number | null {
	const [samples, setSamples] = useState<Sample[]>(() => firstSamples({ done, at, startedAt }))
	const last = samples.at(-1)
	if (last && last.at < at) setSamples([...samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, done }])
	const first = samples[0]
	if (!first || !last || last.at - first.at < 1000 || last.done <= first.done) return null
	return ((last.done - first.done) * 1000) / (last.at - first.at)
}

/** Returns the first reading, with the start if that was a moment ago. */
function firstSamples({ done, at, startedAt }: RateInput): Sample[] {
	const start = startedAt ? Date.parse(startedAt) : 0
	const now = { at, done }
	return start < at && at - start <= WINDOW_MS ? [{ at: start, done: 0 }, now] : [now]
}
