/** An address, which breaks after its @ where it has to. */
export function Email({ text }: { text: string }) {
	const at = text.lastIndexOf('@') + 1
	return (
		<span title={text}>
			{text.slice(0, at)}
			<wbr />
			{text.slice(at)}
		</span>
	)
}
