import { segments } from '#features/audiences/segment-contract.ts'
import { auth } from '#features/auth/contract.ts'
import { work } from '#features/auth/work-contract.ts'
import { campaigns } from '#features/campaigns/contract.ts'
import { campaignPreflight } from '#features/campaigns/preflight-contract.ts'
import { campaignReports } from '#features/campaigns/report-contract.ts'
import { chats } from '#features/chats/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { contactTags, customFields } from '#features/contacts/custom-fields.ts'
import { contactGroups } from '#features/contacts/group-contract.ts'
import { customers } from '#features/customers/contract.ts'
import { adminDashboards } from '#features/dashboards/admin-contract.ts'
import { dashboards } from '#features/dashboards/contract.ts'
import { margins } from '#features/dashboards/margin-contract.ts'
import { numberStanding, sendingRules } from '#features/delivery/contract.ts'
import { developer } from '#features/developer/contract.ts'
import { v1Campaigns } from '#features/developer/v1-campaign-contract.ts'
import { v1 } from '#features/developer/v1-contract.ts'
import { v1Messages } from '#features/developer/v1-message-contract.ts'
import { webhooks } from '#features/developer/webhook-contract.ts'
import { headerFiles } from '#features/header-files/contract.ts'
import { inbox } from '#features/inbox/contract.ts'
import { campaignClicks } from '#features/links/contract.ts'
import { notifications } from '#features/notifications/contract.ts'
import { adminPayments } from '#features/payments/admin-contract.ts'
import { payments } from '#features/payments/contract.ts'
import { pricing } from '#features/pricing/contract.ts'
import { rates } from '#features/pricing/rate-contract.ts'
import { privacy } from '#features/privacy/contract.ts'
import { replies } from '#features/replies/contract.ts'
import { statements } from '#features/statements/contract.ts'
import { refunds } from '#features/statements/refund-contract.ts'
import { templates } from '#features/templates/contract.ts'
import { templateLibrary } from '#features/templates/library-contract.ts'
import { colleagues } from '#features/users/colleague-contract.ts'
import { users } from '#features/users/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { whatsapp } from '#features/whatsapp/contract.ts'

/** Every HTTP call of the product. Tests and the OpenAPI page iterate over it. */
export const contract = {
	auth,
	work,
	users,
	colleagues,
	wallet,
	payments,
	adminPayments,
	pricing,
	rates,
	whatsapp,
	contacts,
	contactGroups,
	contactTags,
	customFields,
	templates: { ...templates, ...templateLibrary },
	campaigns: {
		...campaigns,
		...campaignPreflight,
		...campaignReports,
		...campaignClicks,
		...sendingRules,
		...numberStanding,
	},
	segments,
	headerFiles,
	customers,
	replies,
	chats: { ...chats, ...inbox },
	statements: { ...statements, ...refunds },
	dashboards: { ...dashboards, ...adminDashboards },
	margins,
	notifications,
	privacy,
	developer,
	webhooks,
	v1: { ...v1, ...v1Messages, ...v1Campaigns },
}
