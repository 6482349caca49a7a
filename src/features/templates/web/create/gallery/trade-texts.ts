import { ready, type ReadyText } from './ready-text.ts'

export const SHOP_TEXTS: readonly ReadyText[] = [
	ready(
		{ key: 'new_collection', group: 'shop', category: 'MARKETING' },
		{
			title: 'New collection',
			body: 'Hi {{1}}, our new {{2}} collection has arrived! ✨\n\nCome and see it first, or look at it on our website. Prices start at {{3}}.',
			examples: ['Asha', 'silk saree', '₹1,499'],
			website: 'See the collection',
		},
		{
			title: 'नया कलेक्शन',
			body: 'नमस्ते {{1}} जी, हमारा नया {{2}} कलेक्शन आ गया है! ✨\n\nसबसे पहले दुकान पर आकर देखिए, या हमारी वेबसाइट पर। दाम {{3}} से शुरू हैं।',
			examples: ['आशा', 'सिल्क साड़ी', '₹1,499'],
			website: 'कलेक्शन देखें',
		},
	),
	ready(
		{ key: 'sale_ends', group: 'shop', category: 'MARKETING' },
		{
			title: 'Sale ends soon',
			body: 'Hi {{1}}, our sale ends on {{2}}.\n\nUntil then you save *{{3}}* on everything in the shop. Shall we keep something aside for you?',
			examples: ['Asha', 'Sunday', '30%'],
			replies: ['Yes, please', 'Not this time'],
		},
		{
			title: 'सेल ख़त्म होने वाली है',
			body: 'नमस्ते {{1}} जी, हमारी सेल {{2}} को ख़त्म हो रही है।\n\nतब तक दुकान के हर सामान पर *{{3}} की बचत* है। क्या हम आपके लिए कुछ अलग रख दें?',
			examples: ['आशा', 'रविवार', '30%'],
			replies: ['हाँ, रख दीजिए', 'अभी नहीं'],
		},
	),
	ready(
		{ key: 'back_in_stock', group: 'shop', category: 'MARKETING' },
		{
			title: 'Back in stock',
			body: 'Good news, {{1}}! {{2}} is back in stock.\n\nThe last lot was sold within days. Reply to this message and we will keep one for you.',
			examples: ['Asha', 'The blue cotton kurta'],
			replies: ['Keep one for me'],
		},
		{
			title: 'फिर से उपलब्ध',
			body: 'अच्छी ख़बर, {{1}} जी! {{2}} फिर से उपलब्ध है।\n\nपिछली बार यह कुछ ही दिनों में बिक गया था। इस संदेश का जवाब दें, हम आपके लिए एक रख देंगे।',
			examples: ['आशा', 'नीला सूती कुर्ता'],
			replies: ['मेरे लिए रखें'],
		},
	),
	ready(
		{ key: 'reorder_reminder', group: 'shop', category: 'MARKETING' },
		{
			title: 'Time to re-order',
			body: 'Hi {{1}}, it is about {{2}} since you bought {{3}} from us.\n\nWould you like the same again? Reply and we will get it ready for you.',
			examples: ['Asha', 'a month', 'atta and rice'],
			replies: ['Same again', 'Call me'],
		},
		{
			title: 'दोबारा ऑर्डर',
			body: 'नमस्ते {{1}} जी, आपको हमसे {{3}} लिए लगभग {{2}} हो गया है।\n\nक्या वही सामान फिर से चाहिए? जवाब दें, हम तैयार कर देंगे।',
			examples: ['आशा', 'एक महीना', 'आटा और चावल'],
			replies: ['वही फिर से', 'फ़ोन करें'],
		},
	),
	ready(
		{ key: 'birthday_gift', group: 'shop', category: 'MARKETING' },
		{
			title: 'Birthday wishes',
			body: 'Happy birthday, {{1}}! 🎂\n\nYour gift from us: *{{2}} off* your next purchase, valid until {{3}}. Show this message in the shop.',
			examples: ['Asha', '10%', '31 December'],
		},
		{
			title: 'जन्मदिन की बधाई',
			body: 'जन्मदिन मुबारक, {{1}} जी! 🎂\n\nहमारी ओर से उपहार: {{3}} तक अगली ख़रीदारी पर *{{2}} की छूट*। दुकान पर यह संदेश दिखाइए।',
			examples: ['आशा', '10%', '31 दिसंबर'],
		},
	),
	ready(
		{ key: 'weekend_menu', group: 'shop', category: 'MARKETING' },
		{
			title: 'Restaurant: weekend special',
			body: 'Hi {{1}}, this weekend our kitchen serves {{2}}. 🍽️\n\nA table for two costs {{3}}. Reply to book yours, or order at home.',
			examples: ['Asha', 'a Rajasthani thali', '₹699'],
			replies: ['Book a table', 'Order at home'],
		},
		{
			title: 'रेस्तराँ: सप्ताहांत विशेष',
			body: 'नमस्ते {{1}} जी, इस सप्ताहांत हमारी रसोई में {{2}} है। 🍽️\n\nदो लोगों के लिए {{3}}। टेबल बुक करने या घर मँगाने के लिए जवाब दें।',
			examples: ['आशा', 'राजस्थानी थाली', '₹699'],
			replies: ['टेबल बुक करें', 'घर मँगाएँ'],
		},
	),
]

export const THANKS_TEXTS: readonly ReadyText[] = [
	ready(
		{ key: 'thank_you', group: 'thanks', category: 'MARKETING' },
		{
			title: 'Thank you',
			body: 'Dear {{1}}, thank you for shopping with us! 🙏\n\nWe hope you enjoy {{2}}. If anything is not right, reply here and we will set it right.',
			examples: ['Asha', 'your new saree'],
		},
		{
			title: 'धन्यवाद',
			body: 'प्रिय {{1}}, हमसे ख़रीदारी करने के लिए धन्यवाद! 🙏\n\nआशा है आपको {{2}} पसंद आई होगी। कुछ ठीक न हो तो यहीं जवाब दें, हम ठीक कर देंगे।',
			examples: ['आशा', 'आपकी नई साड़ी'],
		},
	),
	ready(
		{ key: 'review_request', group: 'thanks', category: 'MARKETING' },
		{
			title: 'Ask for a review',
			body: 'Hi {{1}}, how was your visit on {{2}}?\n\nYour review takes a minute and helps other customers to find us. Thank you!',
			examples: ['Asha', '12 November'],
			website: 'Write a review',
		},
		{
			title: 'समीक्षा का अनुरोध',
			body: 'नमस्ते {{1}} जी, {{2}} को आपका अनुभव कैसा रहा?\n\nआपकी समीक्षा में एक मिनट लगता है और दूसरे ग्राहकों को हमें ढूँढने में मदद मिलती है। धन्यवाद!',
			examples: ['आशा', '12 नवंबर'],
			website: 'समीक्षा लिखें',
		},
	),
]
