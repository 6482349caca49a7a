import { useState } from 'react'

interface Sample {
	/** Milliseconds since 1970. */
	at: number
	done: number
}

interface RateInput extends Sample {
	startedAt: string | null
}

/** Over so long the rate is taken, so that it neither jumps nor lags behind a pause. */
const WINDOW_MS = 30_000

/** Messages a second, from recent readings; null until two of them, or one and the start, are far enough apart. */
export function useRate({ done, at, startedAt }: RateInput): number | null {
	const [samples, setSamples] = useState<Sample[]>(() => firstSamples({ done, at, startedAt }))
	const last = samples.at(-1)
	if (last && last.at < at) setSamples([...samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, done }])
	const first = samples[0]
	if (!first || !last || last.at - first.at < 1000 || last.done <= first.done) return null
	return ((last.done - first.done) * 1000) / (last.at - first.at)
}

/** A campaign that has only just started is measured from its start. */
function firstSamples({ done, at, startedAt }: RateInput): Sample[] {
	const start = startedAt ? Date.parse(startedAt) : 0
	const now = { at, done }
	return start < at && at - start <= WINDOW_MS ? [{ at: start, done: 0 }, now] : [now]
}
