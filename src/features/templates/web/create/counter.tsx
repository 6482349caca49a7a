import styles from './create-template.module.css'

/** The characters used and allowed. */
export function Counter({ text, max }: { text: string; max: number }) {
	return (
		<span className={`quiet ${styles.counter}`} data-over={text.length > max}>
			{text.length} / {max}
			<span className="visually-hidden"> characters</span>
		</span>
	)
}
