/** Gives a file that a call answered with to the browser's downloads, under `name` or its own. */
export function saveFile(file: File, name = file.name): void {
	const url = URL.createObjectURL(file)
	const link = document.createElement('a')
	link.href = url
	link.download = name
	link.click()
	setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
