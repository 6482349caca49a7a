// Lists the container images of deploy/ that were built more than six months ago or whose month is missing, and exits with 1.
import { readFileSync } from 'node:fs'
import { findImages, isOld } from './release/images.ts'

const files = ['Dockerfile', 'compose.yaml']
const images = files.flatMap((name) => findImages(readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8')))
const old = images.filter((image) => isOld(image, new Date()))
for (const { name, built } of old)
	console.log(`${name} is ${built ? `of ${built}` : 'of an unknown month'}: name the present build by its digest.`)
console.log(`${images.length} images, ${old.length} of them older than six months`)
if (old.length > 0 || images.length === 0) process.exitCode = 1
