import { ready, type ReadyText, type ReadyVersion } from './ready-text.ts'

/** Returns a festival's ready text, an advertisement with a website button. */
function festival(key: string, en: ReadyVersion, hi: ReadyVersion): ReadyText {
	return ready(
		{ key, group: 'festival', category: 'MARKETING' },
		{ website: 'Shop now', ...en },
		{ website: 'अभी देखें', ...hi },
	)
}

export const FESTIVAL_TEXTS: readonly ReadyText[] = [
	festival(
		'diwali_sale',
		{
			title: 'Diwali sale',
			body: 'Dear {{1}}, wishing you and your family a bright and happy Diwali! 🪔\n\nOur Diwali sale gives you *{{2}} off* everything in the shop until {{3}}. We look forward to your visit.',
			examples: ['Asha', '20%', '8 November'],
		},
		{
			title: 'दिवाली सेल',
			body: 'प्रिय {{1}}, आपको और आपके परिवार को दिवाली की हार्दिक शुभकामनाएँ! 🪔\n\nहमारी दिवाली सेल में {{3}} तक हर सामान पर *{{2}} की छूट* है। दुकान पर आपका स्वागत है।',
			examples: ['आशा', '20%', '8 नवंबर'],
		},
	),
	festival(
		'holi_offer',
		{
			title: 'Holi offer',
			body: 'Happy Holi, {{1}}! 🎨\n\nMay your year be full of colour. Celebrate with *{{2}} off* on our Holi collection until {{3}}, in the shop and online.',
			examples: ['Asha', '15%', '25 March'],
		},
		{
			title: 'होली ऑफ़र',
			body: 'होली की शुभकामनाएँ, {{1}} जी! 🎨\n\nआपका साल रंगों से भरा रहे। हमारे होली कलेक्शन पर {{3}} तक *{{2}} की छूट* पाएँ, दुकान पर भी और ऑनलाइन भी।',
			examples: ['आशा', '15%', '25 मार्च'],
		},
	),
	festival(
		'eid_offer',
		{
			title: 'Eid offer',
			body: 'Eid Mubarak, {{1}}! 🌙\n\nWe wish you and your loved ones peace and joy. Enjoy *{{2}} off* on our Eid collection until {{3}}, and find something special for everyone at home.',
			examples: ['Ayesha', '20%', '31 March'],
		},
		{
			title: 'ईद ऑफ़र',
			body: 'ईद मुबारक, {{1}} जी! 🌙\n\nआपको और आपके अपनों को अमन और खुशियाँ मिलें। हमारे ईद कलेक्शन पर {{3}} तक *{{2}} की छूट* है, घर में सबके लिए कुछ ख़ास चुनें।',
			examples: ['आयशा', '20%', '31 मार्च'],
		},
	),
	festival(
		'new_year_offer',
		{
			title: 'New Year offer',
			body: 'Happy New Year, {{1}}! 🎉\n\nThank you for being with us this year. Start the new one with *{{2}} off* your next purchase, valid until {{3}} in the shop and online.',
			examples: ['Asha', '10%', '15 January'],
		},
		{
			title: 'नए साल का ऑफ़र',
			body: 'नया साल मुबारक, {{1}} जी! 🎉\n\nइस साल हमारे साथ रहने के लिए धन्यवाद। {{3}} तक अपनी अगली ख़रीदारी पर *{{2}} की छूट* पाएँ, दुकान पर भी और ऑनलाइन भी।',
			examples: ['आशा', '10%', '15 जनवरी'],
		},
	),
	festival(
		'raksha_bandhan',
		{
			title: 'Raksha Bandhan gifts',
			body: 'Dear {{1}}, Raksha Bandhan is near! 🎁\n\nWe have rakhis, sweets and gifts from {{2}} for every brother and sister. Order until {{3}} and we deliver in time for the festival.',
			examples: ['Asha', '₹199', '5 August'],
			website: 'See the gifts',
		},
		{
			title: 'रक्षाबंधन उपहार',
			body: 'प्रिय {{1}}, रक्षाबंधन आने वाला है! 🎁\n\nहर भाई-बहन के लिए {{2}} से शुरू राखियाँ, मिठाइयाँ और उपहार हमारे पास हैं। {{3}} तक ऑर्डर करें, हम त्योहार से पहले पहुँचा देंगे।',
			examples: ['आशा', '₹199', '5 अगस्त'],
			website: 'उपहार देखें',
		},
	),
	festival(
		'navratri_collection',
		{
			title: 'Navratri collection',
			body: 'Happy Navratri, {{1}}! ✨\n\nNine nights, nine colours: our Navratri collection has arrived, with prices from {{2}}. Visit us before {{3}} to choose yours first.',
			examples: ['Asha', '₹499', '10 October'],
		},
		{
			title: 'नवरात्रि कलेक्शन',
			body: 'नवरात्रि की शुभकामनाएँ, {{1}} जी! ✨\n\nनौ रातें, नौ रंग: हमारा नवरात्रि कलेक्शन आ गया है, दाम {{2}} से शुरू। सबसे पहले चुनने के लिए {{3}} से पहले आइए।',
			examples: ['आशा', '₹499', '10 अक्टूबर'],
		},
	),
	festival(
		'christmas_offer',
		{
			title: 'Christmas offer',
			body: 'Merry Christmas, {{1}}! 🎄\n\nMake the season sweeter: until {{3}} you get *{{2}} off* on cakes, gifts and decorations. We would be happy to see you in the shop.',
			examples: ['Maria', '15%', '26 December'],
		},
		{
			title: 'क्रिसमस ऑफ़र',
			body: 'क्रिसमस की शुभकामनाएँ, {{1}} जी! 🎄\n\n{{3}} तक केक, उपहार और सजावट पर *{{2}} की छूट* है। दुकान पर आपका इंतज़ार रहेगा।',
			examples: ['मारिया', '15%', '26 दिसंबर'],
		},
	),
	festival(
		'independence_day_sale',
		{
			title: 'Independence Day sale',
			body: 'Happy Independence Day, {{1}}! 🇮🇳\n\nCelebrate with us: *{{2}} off* on products made in India, only until {{3}}. See you in the shop or on our website.',
			examples: ['Asha', '25%', '16 August'],
		},
		{
			title: 'स्वतंत्रता दिवस सेल',
			body: 'स्वतंत्रता दिवस की शुभकामनाएँ, {{1}} जी! 🇮🇳\n\nभारत में बने सामान पर {{3}} तक *{{2}} की छूट* है। दुकान पर या हमारी वेबसाइट पर मिलते हैं।',
			examples: ['आशा', '25%', '16 अगस्त'],
		},
	),
]
