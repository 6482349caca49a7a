import { readFileSync } from 'node:fs'

export const dockerfile = readFileSync(new URL('../deploy/Dockerfile', import.meta.url), 'utf8')

/** What the stages of the Dockerfile copy out of the repository. */
export const copiedPaths = pathsCopiedBy(dockerfile)

const [, webStage = '', , lastStage = ''] = dockerfile.split(/^FROM /m)

/** The stage that builds the web app: what it copies out of the repository, and its last command. */
export const webBuild = {
	paths: pathsCopiedBy(webStage),
	command: [...webStage.matchAll(/^RUN (.*)$/gm)].at(-1)?.[1] ?? '',
}

/** What the last stage copies out of the repository: what is there at run time, beside packages, sources and the web app. */
export const runtimePaths = pathsCopiedBy(lastStage)

function pathsCopiedBy(text: string): string[] {
	const lines = [...text.matchAll(/^COPY (?!--from)(.*)$/gm)].map(([, line = '']) => line.trim().split(/\s+/))
	return lines.flatMap((words) => words.slice(0, -1).filter((word) => !word.startsWith('--')))
}
