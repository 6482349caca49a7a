import { chromium } from '/work/wt/rates40/node_modules/playwright-core/index.mjs'
import { writeFileSync } from 'node:fs'
const base = 'http://localhost:3147'
const { rateCardWorkbook, rateCardCsv } = await import('/work/wt/rates40/test/files/rate-card.ts')
writeFileSync('/tmp/INR rate card January 2027.csv', rateCardWorkbook({ rows: { India: ['0.8800', '0.1150', '0.1150', '2.4971', '0.1150'], Poland: ['n/a', '1', '1', 'n/a', '1'], Germany: ['10.0073','4.0322','4.0322','n/a','4.0322'] }, more: [['Japan','INR','1','1','1','n/a','1']] }))
writeFileSync('/tmp/no-day.csv', rateCardCsv({ title: 'INR rates' }))
writeFileSync('/tmp/bad.csv', rateCardCsv({ rows: { Kuwait: ['0', '1', '1', '1', '1'] } }))
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell' })
const shots = process.argv.slice(2)
for (const [w, h] of [[1440, 900], [390, 844]]) for (const scheme of ['light', 'dark']) {
  const context = await browser.newContext({ viewport: { width: w, height: h }, colorScheme: scheme })
  const page = await context.newPage()
  const errors = []
  page.on('console', (m) => ['error', 'warning'].includes(m.type()) && errors.push(m.text()))
  await page.addInitScript((t) => localStorage.setItem('theme', t), scheme)
  await page.goto(base + '/login')
  await page.getByRole('textbox', { name: 'Email' }).fill('admin@example.com'); await page.getByRole('textbox', { name: 'Password' }).fill(process.env.PW); await page.keyboard.press('Enter')
  await page.waitForURL(/admin/)
  const shot = async (name, full) => { await page.waitForTimeout(500); await page.screenshot({ path: `/tmp/shots-rates/${name}-${w}-${scheme}.png`, fullPage: full }) }
  await page.goto(base + '/admin/pricing/management'); await page.getByText('In India WhatsApp charges').waitFor(); await shot('management')
  await page.getByRole('button', { name: /^Edit the prices/ }).first().click(); await page.getByRole('dialog').waitFor(); await shot('price-dialog'); await page.keyboard.press('Escape')
  await page.goto(base + '/admin/pricing/rates'); await page.getByText('Rest of Western Europe').first().waitFor(); await shot('rates'); if (w < 1000 || scheme === 'light') await shot('rates-full', true)
  await page.getByRole('button', { name: 'Load rate card' }).click(); await page.getByRole('dialog').waitFor(); await shot('load-empty')
  await page.locator('input[type=file]').setInputFiles('/tmp/bad.csv'); await page.getByText(/must be above 0/).waitFor(); await shot('load-bad')
  await page.getByRole('button', { name: /^Remove bad/ }).click()
  await page.locator('input[type=file]').setInputFiles('/tmp/no-day.csv'); await page.getByText(/does not say from when/).waitFor(); await shot('load-noday')
  await page.getByRole('button', { name: /^Remove no-day/ }).click()
  await page.locator('input[type=file]').setInputFiles('/tmp/INR rate card January 2027.csv'); await page.getByText(/Compared with/).waitFor(); await shot('load-diff')
  if (process.env.LOAD && w === 1440 && scheme === 'light') {
    await page.getByRole('button', { name: 'Load these rates' }).click(); await page.getByText(/loaded$/).first().waitFor()
    await page.getByRole('button', { name: /^From 1 Jan/ }).click(); await shot('rates-upcoming')
    await page.getByRole('button', { name: 'Remove these rates' }).click(); await page.getByRole('dialog').waitFor(); await shot('remove')
    await page.getByRole('button', { name: 'Remove', exact: true }).click(); await page.getByText('Rates removed').waitFor(); await shot('removed')
  }
  await page.route('**/api/pricing/rates/summary', async (route) => { const r = await route.fetch(); route.fulfill({ json: { ...(await r.json()), missingFrom: '2027-01-01' } }) })
  await page.goto(base + '/admin/dashboard'); await page.getByText(w < 1000 ? /rates change/ : /may change on/).first().waitFor(); await shot('notice')
  console.log(w, scheme, errors)
  await context.close()
}
await browser.close()
