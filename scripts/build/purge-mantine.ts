import { createHash } from 'node:crypto'
import type { Plugin, Rolldown } from 'vite'
import { dropColours, keepUsedRules } from './purge-css.ts'

const MANTINE_CLASS = /m_[0-9a-f]{4,8}/g

/** The build fails when a component asks for one of these. Teal stays, as Mantine's own rules name it. */
const UNUSED_COLOURS = ['cyan', 'grape', 'indigo', 'lime', 'orange', 'pink', 'violet']

type Bundle = Rolldown.OutputBundle[string][]

/**
 * Mantine ships one stylesheet for all its components, and names each class by a hash ("m_77c9d27d") that is in the
 * component's JavaScript as well. A rule whose hash is in no chunk belongs to a component that this project does not use.
 */
export function purgeUnusedMantineRules(): Plugin {
	return {
		name: 'purge-unused-mantine-rules',
		apply: 'build',
		enforce: 'post',
		generateBundle: {
			order: 'post',
			handler(_, bundle) {
				const files = Object.values(bundle)
				const used = classesIn(files)
				refuseUnusedColours(files)
				for (const file of files) {
					if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
					const before = String(file.source)
					const after = dropColours(keepUsedRules(before, used), UNUSED_COLOURS)
					if (after === before) continue
					file.source = after
					const oldName = file.fileName
					// Browsers keep a file with a hash in its name for ever, so a changed text needs another name.
					file.fileName = oldName.replace(/-[\w-]{8}\.css$/, `-${hashOf(after)}.css`)
					renameIn(files, oldName, file.fileName)
				}
			},
		},
	}
}

function classesIn(files: Bundle): Set<string> {
	const scripts = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []))
	return new Set(scripts.flatMap((code) => code.match(MANTINE_CLASS) ?? []))
}

function refuseUnusedColours(files: Bundle): void {
	const asked = new RegExp(`\\bcolor:["'\`](${UNUSED_COLOURS.join('|')})\\b`)
	for (const file of files) {
		const [, colour] = (file.type === 'chunk' && asked.exec(file.code)) || []
		if (colour) throw new Error(`A component has the colour ${colour}, whose variables are left out in scripts/build`)
	}
}

function renameIn(files: Bundle, oldName: string, newName: string): void {
	for (const file of files) {
		if (file.type === 'chunk') file.code = file.code.replaceAll(oldName, newName)
		else if (/\.(html|json)$/.test(file.fileName)) file.source = String(file.source).replaceAll(oldName, newName)
	}
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}
