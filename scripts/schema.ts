// `npm run schema`: writes db/schema.sql from a database that was just created by the migrations.
import { writeFileSync } from 'node:fs'
import { createTestDatabase } from '#test/database.ts'
import { describeSchema } from '#test/readers/schema.ts'

const database = await createTestDatabase()
writeFileSync(new URL('../db/schema.sql', import.meta.url), await describeSchema(database.sql))
await database.drop()
