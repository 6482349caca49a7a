import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { launchBrowser } from '#test/browsers/browser.ts'
import type { Photograph } from './photographs.ts'

const PER_SHEET = 12

/** Returns the number of columns of a sheet, by the width of its screenshots in pixels. */
const columnsFor = (width: number) => (width >= 1000 ? 4 : 6)
/** Returns the width of a thumbnail in pixels. The text of a narrower one cannot be read. */
const thumbnailWidth = (width: number) => (width >= 1000 ? 480 : 320)

/** Writes `role-width-scheme-n.png` with the top parts of PER_SHEET screens each. Returns the number of sheets. */
export async function writeSheets(photographs: Photograph[], out: string): Promise<number> {
	const browser = await launchBrowser()
	try {
		const page = await browser.newPage()
		let sheets = 0
		for (const [name, group] of groups(photographs)) {
			const width = group[0]?.width ?? 0
			await page.setViewportSize({ width: columnsFor(width) * (thumbnailWidth(width) + 16) + 16, height: 800 })
			for (let first = 0; first < group.length; first += PER_SHEET) {
				const sheet = `${name}-${first / PER_SHEET + 1}`
				const html = join(out, 'photographs', `${sheet}.html`)
				writeFileSync(html, sheetHtml(sheet, group.slice(first, first + PER_SHEET)))
				await page.goto(pathToFileURL(html).href)
				await page.screenshot({ path: join(out, `${sheet}.png`), fullPage: true })
				sheets++
			}
		}
		return sheets
	} finally {
		await browser.close()
	}
}

function groups(photographs: Photograph[]): Map<string, Photograph[]> {
	return Map.groupBy(photographs, ({ role, width, scheme }) => `${role}-${width}-${scheme}`)
}

function sheetHtml(title: string, photographs: Photograph[]): string {
	const width = photographs[0]?.width ?? 0
	const thumb = thumbnailWidth(width)
	const figures = photographs.map(
		({ file, caption }) =>
			`<figure><figcaption>${escapeHtml(caption)}</figcaption><div><img src="${escapeHtml(basename(file))}"></div></figure>`,
	)
	return `<!doctype html><meta charset="utf-8"><title>${title}</title><style>
		body { margin: 16px; font: 13px/18px system-ui, sans-serif; background: #8a8f8c; color: #fff }
		main { display: grid; grid-template-columns: repeat(${columnsFor(width)}, ${thumb}px); gap: 16px; align-items: start }
		figure { margin: 0 }
		div { max-height: ${Math.round(thumb * (width >= 1000 ? 1.5 : 3))}px; overflow: hidden }
		img { display: block; width: 100% }
		h1 { margin: 0 0 12px; font-size: 18px }
	</style><h1>${title}</h1><main>${figures.join('')}</main>`
}

function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
