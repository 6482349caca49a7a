import { useEffect, useState } from 'react'
import styles from './second-factor.module.css'

/** A text as a QR code, dark on white in either colour scheme, as cameras expect. Its drawing is loaded when it is needed. */
export function QrCode({ text, label }: { text: string; label: string }) {
	const [drawing, setDrawing] = useState({ path: '', size: 1 })
	useEffect(() => {
		let isShown = true
		import('uqr').then(
			({ encode }) => {
				const { data, size } = encode(text, { border: 2 })
				const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
				if (isShown) setDrawing({ path, size })
			},
			// The key beside it does as well.
			() => {},
		)
		return () => {
			isShown = false
		}
	}, [text])
	const { path, size } = drawing
	return (
		<svg
			className={styles.qr}
			viewBox={`0 0 ${size} ${size}`}
			role="img"
			aria-label={label}
			shapeRendering="crispEdges"
		>
			<path d={path} />
		</svg>
	)
}
