import { formatDateTime, formatDay, formatStamp } from '#lib/dates.ts'
import { relativeTime } from '#lib/web/relative-time.ts'
import { useNow } from './use-now.ts'

const FORMATS = { datetime: formatDateTime, day: formatDay, stamp: formatStamp }

interface DateTimeProps {
	/** ISO 8601; undefined shows a dash. */
	iso: string | null | undefined
	/** Format; `relative` refreshes every minute. */
	as?: keyof typeof FORMATS | 'relative'
}

/** Renders a time in Indian time; its title shows the full form. */
export function DateTime({ iso, as = 'datetime' }: DateTimeProps) {
	const now = useNow(as === 'relative')
	if (!iso) return <>-</>
	const isShort = as === 'relative' || as === 'day'
	return (
		<time dateTime={iso} title={isShort ? formatDateTime(iso) : undefined}>
			{as === 'relative' ? (
				<span className="figures">{relativeTime(iso, now)}</span>
			) : (
				<Parts text={FORMATS[as](iso)} />
			)}
		</time>
	)
}

/** Puts the time below the day when they do not fit on one line. */
function Parts({ text }: { text: string }) {
	const [day = '', clock] = text.split(/(?<=,)\s|\s(?=\d\d:)/)
	return (
		<>
			<span className="figures">{day}</span>
			{clock && ' '}
			{clock && <span className="figures">{clock}</span>}
		</>
	)
}
