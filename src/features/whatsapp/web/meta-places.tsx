import styles from './meta-places.module.css'

export type Field = keyof typeof PLACES

/** Place where Meta shows each credential. The marks number the fields in the picture and in the form. */
const PLACES = {
	phone_number_id: { mark: 1, words: 'App Dashboard, API Setup, under the “From” number.' },
	waba_id: { mark: 2, words: 'API Setup, as “WhatsApp Business Account ID”.' },
	access_token: {
		mark: 3,
		words: 'Business settings, System users. The token in API Setup ends within a day.',
	},
	app_id: { mark: 4, words: 'At the top of the App Dashboard.' },
	app_secret: { mark: 5, words: 'App settings, Basic, “Show”.' },
}

/** Renders the hint below one field: the place where Meta shows its value. */
export function MetaPlace({ of }: { of: Field }) {
	const { mark, words } = PLACES[of]
	return (
		<span className={styles.place}>
			<b className={styles.mark}>{mark}</b> {words}
		</span>
	)
}

const ALT =
	'Sketch of two pages of Meta. In the App Dashboard, API Setup shows the phone number ID (1) and the WhatsApp Business Account ID (2) ' +
	'under the “From” number; the App ID (4) is at the top, and App settings, Basic (5) in the menu. ' +
	'In Business settings, System users has “Generate token” (3).'

export function MetaHelp({ open }: { open: boolean }) {
	return (
		<details className="unfolds" open={open}>
			<summary>Where these are in Meta</summary>
			<MetaPicture />
		</details>
	)
}

/** Renders a sketch of Meta's pages. A screenshot would go out of date sooner than the words. */
function MetaPicture() {
	return (
		<svg className={styles.picture} viewBox="0 0 348 214" role="img" aria-label={ALT}>
			<Page y={0} height={126} name="App Dashboard" group="WhatsApp" chosen="API Setup" />
			<Mark of="app_id" x={204} y={14} />
			<text x={216} y={18}>
				App ID: 1234567890
			</text>
			<text x={12} y={92}>
				App settings
			</text>
			<text x={16} y={112}>
				Basic
			</text>
			<Mark of="app_secret" x={64} y={108} />
			<rect className={styles.box} x={126} y={36} width={210} height={22} rx={4} />
			<text x={134} y={51}>
				From: your phone number
			</text>
			<Mark of="phone_number_id" x={135} y={78} />
			<text x={148} y={82}>
				Phone number ID
			</text>
			<Mark of="waba_id" x={135} y={104} />
			<text x={148} y={108}>
				WhatsApp Business Account ID
			</text>
			<Page y={134} height={80} name="Business settings" group="Users" chosen="System users" />
			<Mark of="access_token" x={135} y={188} />
			<rect className={styles.box} x={149} y={177} width={110} height={22} rx={4} />
			<text x={158} y={192}>
				Generate token
			</text>
		</svg>
	)
}

interface PageProps {
	y: number
	height: number
	name: string
	/** Heading and chosen entry of the page's menu. */
	group: string
	chosen: string
}

function Page({ y, height, name, group, chosen }: PageProps) {
	return (
		<g transform={`translate(0 ${y})`}>
			<rect className={styles.page} x={0.5} y={0.5} width={347} height={height - 1} rx={6} />
			<path className={styles.rule} d={`M0.5 28H347.5M116.5 28V${height - 0.5}`} />
			<text className={styles.name} x={12} y={18}>
				{name}
			</text>
			<text x={12} y={46}>
				{group}
			</text>
			<rect className={styles.chosen} x={8} y={52} width={104} height={20} rx={4} />
			<text className={styles.name} x={16} y={66}>
				{chosen}
			</text>
		</g>
	)
}

function Mark({ of, x, y }: { of: Field; x: number; y: number }) {
	return (
		<g className={styles.pin}>
			<circle cx={x} cy={y} r={9} />
			<text x={x} y={y + 4}>
				{PLACES[of].mark}
			</text>
		</g>
	)
}
