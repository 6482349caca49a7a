/** Downloads a file from an answer under `name`, its own by default. */
export function saveFile(file: File, name = file.name): void {
	const url = URL.createObjectURL(file)
	const link = document.createElement('a')
	link.href = url
	link.download = name
	link.click()
	setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
