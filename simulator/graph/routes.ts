import type { Account, App, Phone } from '../state/accounts.ts'
import type { Media } from '../state/media-store.ts'
import type { Template } from '../state/templates.ts'
import type { UploadSession } from '../state/upload-sessions.ts'
import { sendAppData } from './accounts/app-data.ts'
import { updateAccount } from './accounts/marketing.ts'
import { getAccount, getApp, getPhone, listPhones } from './accounts/numbers.ts'
import { getProfile, updateProfile } from './accounts/profile.ts'
import { listSubscriptions, subscribe, unsubscribe } from './accounts/subscriptions.ts'
import type { Call } from './call.ts'
import { deleteMedia, getMedia, uploadMedia } from './media/media.ts'
import { beginUpload, getUpload, receiveUpload } from './media/uploads.ts'
import { sendMarketingMessage, sendMessage } from './messages/messages.ts'
import { listLibrary } from './templates/library.ts'
import { getTemplate, listTemplates } from './templates/list.ts'
import { createTemplate, deleteTemplates, editTemplate, unpauseTemplate } from './templates/templates.ts'

/**
 * Handlers of the Graph calls on one type of object, by method and edge. A fault names a call by its edge (`messages`,
 * `media`, `message_templates`, …) or, for calls without an edge, by the object: phone, waba, template, media_object,
 * app, upload.
 */
type Routes<Node> = Record<string, (node: Node, call: Call) => unknown>

/** Handlers of the calls without an object, by method and path. A fault names such a call by its path. */
export const rootRoutes: Record<string, (call: Call) => unknown> = {
	'GET message_template_library': listLibrary,
}

export const phoneRoutes: Routes<Phone> = {
	'POST messages': sendMessage,
	'POST marketing_messages': sendMarketingMessage,
	'POST media': uploadMedia,
	'GET ': getPhone,
	'GET whatsapp_business_profile': getProfile,
	'POST whatsapp_business_profile': updateProfile,
	'POST smb_app_data': sendAppData,
}

export const accountRoutes: Routes<Account> = {
	'GET ': getAccount,
	'POST ': updateAccount,
	'GET phone_numbers': listPhones,
	'GET message_templates': listTemplates,
	'POST message_templates': createTemplate,
	'DELETE message_templates': deleteTemplates,
	'GET subscribed_apps': listSubscriptions,
	'POST subscribed_apps': subscribe,
	'DELETE subscribed_apps': unsubscribe,
}

export const templateRoutes: Routes<Template> = {
	'GET ': getTemplate,
	'POST ': editTemplate,
	'POST unpause': unpauseTemplate,
}

export const mediaRoutes: Routes<Media> = {
	'GET ': getMedia,
	'DELETE ': deleteMedia,
}

export const appRoutes: Routes<App> = {
	'GET ': getApp,
	'POST uploads': beginUpload,
}

export const uploadRoutes: Routes<UploadSession> = {
	'GET ': getUpload,
	'POST ': receiveUpload,
}
