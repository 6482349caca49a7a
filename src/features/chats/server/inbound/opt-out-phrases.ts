/**
 * Whole messages that opt out of marketing. A line describes every sentence that takes one alternative of each of its parts:
 * `|` separates alternatives, `_` is a space within one, and `-` is an empty alternative.
 */
export const STOP_PHRASES = `
	stop|stopp|stpo|sotp|s_t_o_p
	stop it|this|that|all|everything|promo|promos|promotion|promotions|marketing|spam|sms|whatsapp|broadcast now|-
	stop all|the|these|this|those|such|your|more|- messages|message|msgs|msg|texts|offers|offer|ads|promotions|updates
	stop sending|messaging|texting|disturbing|bothering|spamming me|us|- any|more|any_more|such|these|this|all|your|- messages|message|msgs|msg|texts|sms|offers|ads|promotions|- again|anymore|-
	can_you|could_you|would_you|i_want_you_to please|pls|- stop sending|messaging|texting|disturbing|spamming me|us|- any|more|any_more|such|these|this|all|- messages|message|msgs|msg|sms|offers|ads|promotions|-
	unsubscribe|unsubcribe|unsubscibe|unsuscribe|unsubscrib|unsubsribe|unsubscrbe|unsubscribed|unsub|un_subscribe me|us|all|my_number|this_number|-
	unsubscribe|unsubcribe|unsubscibe|unsuscribe|unsub me|us|my_number|- from all|promos|promotions|marketing|this|this_list|your_list|the_list|messages|your_messages|these_messages|whatsapp
	opt_out|optout|opting_out|opt_me_out|opt_us_out from_all|from_this|from_promotions|from_marketing|from_messages|of_this|of_promotions|of_marketing|-
	i_want_to|i_wish_to|i_would_like_to|i_need_to opt_out|unsubscribe
	cancel|end|quit
	remove|delete|take me|us|my_number|my_no|my_name|my_contact|my_phone_number|this_number|my_mobile_number from|off|out_of your|the|this|- list|lists|database|broadcast|broadcast_list|mailing_list|contact_list|contacts|records
	remove|delete me|us|my_number|my_no|my_contact|my_phone_number|my_mobile_number|this_number
	do_not|dont|donot|never send me|us|- any|more|any_more|such|these|this|your|- messages|message|msgs|msg|sms|texts|offers|ads|promotions again|anymore|-
	do_not|dont|donot|never message|msg|text|disturb|spam|contact me|us|- again|anymore|-
	do_not|dont|donot send me|us anything anymore|-
	no more messages|message|msgs|msg|sms|texts|offers|ads|promotions|marketing
	no messages|msgs|sms|promotions|marketing
	i|we dont|do_not|donot want|need|want_to_receive|want_to_get|wish_to_receive any|more|any_more|such|these|this|your|- messages|message|msgs|msg|sms|offers|ads|promotions|marketing
	dnd|leave_me_alone
	mujhe|muje|hume|- ye|yeh|apna|apne|aapke|- message|messages|msg|msgs|massage|sms|offer|offers|promotion|- band|bandh|bund|bnd karo|kro|kare|karen|karein|kar_do|kr_do|kardo|krdo|kar_de|kar_den|kijiye|kijie|kar_dijiye|kariye|karna|karo_ab
	message|messages|msg|msgs|sms|- stop|unsubscribe karo|kro|kare|karen|kar_do|kardo|krdo|kijiye|kariye
	mujhe|muje|hume|- message|messages|msg|msgs|massage|sms|offer|offers|- mat|mt bhejo|bhejna|bheje|bhejen|bhejiye|bhejiyega|bhejo_mujhe
	mujhe|muje|hume|- message|messages|msg|msgs|massage|sms mat|mt|na karo|kro|karna|kare|karen|kijiye|bhejo|bheje|bhejna|bhejiye
	mat|mt karo|kro|bhejo message|messages|msg|msgs|sms
	mujhe|muje|hume|- aur|ye|yeh|- message|messages|msg|msgs|massage|sms|promotion nahi|nahin|nhi|nai chahiye|chaiye|chahie|chahiye_ab
	message|messages|msg|msgs|sms|- roko|rok_do|rok_dijiye|rok_den
	message|messages|msg|msgs|sms|offers stop
	apni|- list_se|- mera number|no hatao|hata_do|hata_dijiye|nikalo|nikal_do|delete_karo|delete_kar_do|remove_karo|remove_kar_do
	bas_karo
	मुझे|हमें|- ये|यह|अपने|- मैसेज|मेसेज|मैसेजेस|संदेश|सन्देश|एसएमएस|ऑफर|- बंद|बन्द करो|करें|करे|कर_दो|कर_दें|कर_दीजिए|कर_दीजिये|कीजिए|कीजिये|करिए|करिये|करना
	बंद|बन्द
	मुझे|हमें|- मैसेज|मेसेज|संदेश|सन्देश|एसएमएस|ऑफर|- मत|न भेजो|भेजिए|भेजिये|भेजें|भेजे|भेजना
	मुझे|हमें|- मैसेज|मेसेज|संदेश|एसएमएस मत|न करो|करें|कीजिए|करना
	मुझे|हमें|- और|ये|- मैसेज|मेसेज|संदेश|सन्देश|एसएमएस नहीं|नही चाहिए|चाहिये
	मैसेज|मेसेज|संदेश|- रोको|रोकें|रोकिए|रोकिये|रोक_दो|रोक_दें|रोक_दीजिए
	मेरा नंबर|नम्बर हटाओ|हटा_दो|हटाएं|हटा_दीजिए|हटाइए
	मैसेज|- स्टॉप|स्टाप|अनसब्सक्राइब|बस_करो करो|कर_दो|-
	मला|- हे|- मेसेज|मॅसेज|मैसेज|संदेश|एसएमएस|जाहिराती|- बंद करा|कर|करावे|करावेत|करून_टाका|करा_आता
	मला|- मेसेज|मॅसेज|मैसेज|संदेश|एसएमएस पाठवू_नका|पाठवू_नये|करू_नका|नको|नकोत|नको_आहेत|थांबवा
	पाठवू_नका|थांबवा|थांबव|थांबा|माझा_नंबर_काढा|माझा_नंबर_काढून_टाका
	mala|- message|messages|msg|msgs|sms|- band|bandh kara|kar|karave|karun_taka
	mala|- message|messages|msg|msgs|sms pathvu|pathavu|patvu|patavu|karu naka|nka
	mala|- message|messages|msg|msgs nako|nakot
	thambva|thambava|thambwa|thamba
	મને|- મેસેજ|મેસેજીસ|સંદેશ|સંદેશા|એસએમએસ|- બંધ કરો|કરી_દો|કરજો|કરશો|કર|કરી_આપો
	બંધ|રોકો|સ્ટોપ|અનસબ્સ્ક્રાઇબ
	મને|- મેસેજ|સંદેશ|સંદેશા|એસએમએસ ન_મોકલો|ના_મોકલો|મોકલશો_નહીં|મોકલશો_નહિ|ન_મોકલશો|ના_મોકલશો|નથી_જોઈતા|નથી_જોઇતા|નથી_જોઈતો|નહીં_મોકલો
	mane|- message|messages|msg|msgs|sms|- band|bandh kari_do|karjo|karsho|kari_nakho
	mane|- message|messages|msg|msgs|sms na_moklo|na_mokalo|nahi_moklo|moklsho_nahi|mokalsho_nahi|na_moklsho|na_mokalsho|nathi_joita|nathi_joito
	আমাকে|- মেসেজ|ম্যাসেজ|মেসেজগুলো|বার্তা|এসএমএস|- বন্ধ করুন|করো|কর|করে_দিন|করে_দাও|করবেন
	বন্ধ|থামুন|থামান|থামাও|থামো|স্টপ|আনসাবস্ক্রাইব
	আমাকে|- আর|- মেসেজ|ম্যাসেজ|বার্তা|এসএমএস পাঠাবেন_না|পাঠিও_না|পাঠাবে_না|দেবেন_না|দিবেন_না|দিও_না|চাই_না|লাগবে_না|করবেন_না
	amake|amay|- message|messages|msg|msgs|sms|- bondho|bandho|bondo|bandha korun|koro|kor|kore_din|kore_dao
	amake|amay|- ar|aar|- message|messages|msg|msgs|sms pathaben_na|pathio_na|patiyo_na|deben_na|diben_na|dio_na|chai_na|lagbe_na|korben_na
	thamun|thaman|thamao
	எனக்கு|- மெசேஜ்|மெசேஜ்கள்|செய்தி|செய்திகள்|செய்திகளை|எஸ்எம்எஸ்|- நிறுத்து|நிறுத்துங்கள்|நிறுத்துங்க|நிறுத்தவும்|நிறுத்துக|நிறுத்தவும்_இப்போது
	எனக்கு|- மெசேஜ்|மெசேஜ்கள்|செய்தி|செய்திகள்|செய்திகளை|எஸ்எம்எஸ் வேண்டாம்|அனுப்ப_வேண்டாம்|அனுப்பவேண்டாம்|அனுப்பாதே|அனுப்பாதீர்கள்|அனுப்பாதீங்க
	அனுப்ப_வேண்டாம்|அனுப்பாதீர்கள்|அனுப்பாதே|ஸ்டாப்|நிறுத்த_வேண்டும்
	enakku|- message|messages|msg|msgs|sms|- niruthu|niruthungal|niruthunga|niruthavum|niruttu|nirutthu|nirutthungal|nirutungal|nirutunga
	enakku|- message|messages|msg|msgs|sms vendam|venam|anuppa_vendam|anupa_vendam|anuppatheenga|anupathinga|anuppathinga|anuppadheenga|anuppathe
	stop|message_stop pannunga|pannu|pannidunga
	నాకు|- మెసేజ్|మెసేజ్లు|మెసేజులు|సందేశం|సందేశాలు|ఎస్ఎంఎస్|- ఆపండి|ఆపు|ఆపేయండి|ఆపివేయండి|ఆపేయ్|ఆపెయ్|నిలిపివేయండి|నిలిపేయండి|బంద్_చేయండి
	నాకు|- మెసేజ్|మెసేజ్లు|మెసేజులు|సందేశం|సందేశాలు పంపవద్దు|పంపకండి|పంపొద్దు|పంపించకండి|పంపించవద్దు|వద్దు|చేయకండి
	పంపవద్దు|పంపకండి|పంపొద్దు|స్టాప్
	naku|- message|messages|msg|msgs|sms|- aapandi|apandi|aapu|aapeyandi|apeyandi|aapey|apey|nilipiveyandi
	naku|- message|messages|msg|msgs|sms pampoddu|pampakandi|pampavaddu|pampavadhu|pampinchakandi|vaddu|oddu|voddu
	stop|message_stop cheyandi|cheyi|chey
	ನನಗೆ|- ಮೆಸೇಜ್|ಮೆಸೇಜುಗಳನ್ನು|ಸಂದೇಶ|ಸಂದೇಶಗಳನ್ನು|ಎಸ್ಎಂಎಸ್|- ನಿಲ್ಲಿಸಿ|ನಿಲ್ಲಿಸು|ನಿಲ್ಸಿ|ನಿಲ್ಲಿಸಿಬಿಡಿ|ನಿಲ್ಲಿಸಿ_ಬಿಡಿ|ಬಂದ್_ಮಾಡಿ|ಬಂದ್_ಮಾಡು|ನಿಲ್ಲಿಸಬೇಕು
	ನನಗೆ|- ಮೆಸೇಜ್|ಸಂದೇಶ|ಸಂದೇಶಗಳನ್ನು|ಸಂದೇಶಗಳು ಕಳುಹಿಸಬೇಡಿ|ಕಳಿಸಬೇಡಿ|ಕಳುಹಿಸಬೇಡ|ಕಳಿಸಬೇಡ|ಮಾಡಬೇಡಿ|ಬೇಡ
	ಕಳುಹಿಸಬೇಡಿ|ಕಳಿಸಬೇಡಿ|ಸ್ಟಾಪ್
	nanage|nange|- message|messages|msg|msgs|sms|- nillisi|nilisi|nillisu|nilsi|nillsi|band_madi|bandh_madi|band_maadi
	nanage|nange|- message|messages|msg|msgs|sms kaluhisabedi|kalisbedi|kalisabedi|kalsbedi|madbedi|beda
	stop|message_stop madi|maadi
	എനിക്ക്|- മെസ്സേജ്|മെസേജ്|മെസ്സേജുകൾ|മെസേജുകൾ|സന്ദേശം|സന്ദേശങ്ങൾ|എസ്എംഎസ്|- നിർത്തുക|നിർത്തൂ|നിർത്ത്|നിർത്തണം|നിർത്തു|നിർത്തുക_ഇപ്പോൾ|നിർത്തലാക്കുക|അവസാനിപ്പിക്കുക
	എനിക്ക്|- മെസ്സേജ്|മെസേജ്|മെസ്സേജുകൾ|സന്ദേശം|സന്ദേശങ്ങൾ അയക്കരുത്|അയയ്ക്കരുത്|അയക്കേണ്ട|വേണ്ട
	അയക്കരുത്|അയയ്ക്കരുത്|സ്റ്റോപ്പ്|സ്റ്റോപ്
	enikku|enikk|- message|messages|msg|msgs|sms|- nirthuka|nirtuka|nirthoo|nirthu|nirthanam|nirtthuka|niruthuka
	enikku|enikk|- message|messages|msg|msgs|sms ayakkaruthu|ayakkaruth|ayakkenda|venda
	stop|message_stop cheyyu|cheyyuka
	ਮੈਨੂੰ|- ਮੈਸੇਜ|ਮੈਸਜ|ਸੁਨੇਹਾ|ਸੁਨੇਹੇ|ਸੰਦੇਸ਼|- ਬੰਦ ਕਰੋ|ਕਰ_ਦਿਓ|ਕਰ_ਦੋ|ਕਰ_ਦਿਉ|ਕਰਦੋ|ਕਰੋ_ਜੀ
	ਬੰਦ|ਰੋਕੋ|ਰੋਕ_ਦਿਓ|ਸਟਾਪ
	ਮੈਨੂੰ|- ਮੈਸੇਜ|ਮੈਸਜ|ਸੁਨੇਹਾ|ਸੁਨੇਹੇ|ਸੰਦੇਸ਼ ਨਾ_ਭੇਜੋ|ਮਤ_ਭੇਜੋ|ਨਾ_ਭੇਜਿਓ|ਨਹੀਂ_ਚਾਹੀਦੇ|ਨਹੀਂ_ਚਾਹੀਦਾ|ਨਾ_ਕਰੋ
	mainu|menu|- message|messages|msg|msgs|sms na_bhejo|na_bhejio|na_bhejeo|nahi_chahide|nahi_chahida
	message|messages|msg|msgs|sms|- band kar_deo|kar_dio|kar_dyo|kardo_ji
	ମୋତେ|- ମେସେଜ୍|ମେସେଜ|ବାର୍ତ୍ତା|ସନ୍ଦେଶ|- ବନ୍ଦ କରନ୍ତୁ|କର|କରିଦିଅନ୍ତୁ|କରି_ଦିଅନ୍ତୁ|କରିଦିଅ
	ବନ୍ଦ|ଷ୍ଟପ୍|ଷ୍ଟପ|ଅଟକାନ୍ତୁ|ରୋକନ୍ତୁ
	ମୋତେ|- ଆଉ|- ମେସେଜ୍|ମେସେଜ|ବାର୍ତ୍ତା|ସନ୍ଦେଶ ପଠାନ୍ତୁ_ନାହିଁ|ପଠାନ୍ତୁ_ନାହିଂ|ପଠାଅ_ନାହିଁ|ଦରକାର_ନାହିଁ|ପଠାଇବେ_ନାହିଁ
	mote|- message|messages|msg|msgs|sms|- band|bandh|banda|bandha karantu|kara|kari_diantu|karidiantu|karidia
	mote|- au|- message|messages|msg|msgs|sms pathantu_nahi|pathanti_nahi|darkar_nahi|patheibe_nahi
	মোক|- মেছেজ|মেচেজ|বাৰ্তা|বাৰ্তাবোৰ|- বন্ধ কৰক|কৰা|কৰ|কৰি_দিয়ক|কৰি_দিয়া|কৰিব
	মোক|- আৰু|- মেছেজ|মেচেজ|বাৰ্তা নপঠাব|নপঠিয়াব|নপঠিয়াবা|নালাগে|নিদিব
	ষ্টপ|থামক|ৰখাওক
	mok|- message|messages|msg|msgs|sms|- bondho|bandha|bandho korok|korak|karak|kori_diyok|kori_diok
	mok|- aru|- message|messages|msg|msgs|sms napathabo|nopothabo|napathiabo|nopathiabo|nalage|nidibo
	مجھے|- یہ|- میسج|میسیج|پیغام|پیغامات|- بند کرو|کریں|کر_دو|کر_دیں|کردیں|کردو|کیجیے|کیجئے|کر_دیجیے|کر_دیجئے
	بند|روکو|روکیں|روک_دو|روک_دیں|اسٹاپ|سٹاپ
	مجھے|- میسج|میسیج|پیغام|پیغامات|- مت|نہ بھیجیں|بھیجو|بھیجیے|بھیجئے|بھیجنا
	مجھے|- اور|- میسج|میسیج|پیغام|پیغامات نہیں چاہیے|چاہئے|چاہیئے
`

/** Whole messages that opt in to marketing again. */
export const START_PHRASES = `
	start|unstop|resume|subscribe|resubscribe|re_subscribe me|again|-
	start promotions|messages|offers|sending|sending_messages|messaging|messaging_me
	opt_in|optin|opt_me_in|opt_back_in|continue_messages|resume_messages
	message|messages|msg|msgs|- shuru|suru|chalu|start|chaloo karo|kro|kar_do|kardo|kare|karen|kijiye|kara|karjo|karun_dya
	message_bhejo|messages_bhejo|phir_se_bhejo|message_bhejna_shuru_karo
	मैसेज|मेसेज|संदेश|- शुरू|शुरु|चालू करो|करें|कर_दो|कर_दें|कीजिए|कीजिये|करिए
	मैसेज_भेजो|संदेश_भेजो|स्टार्ट|सब्सक्राइब
	मेसेज|संदेश|- सुरू|सुरु|चालू करा|करावे
	મેસેજ|- શરૂ|ચાલુ કરો|કરી_દો|કરજો
	સ્ટાર્ટ
	মেসেজ|- শুরু|চালু করুন|করো|করে_দিন
	স্টার্ট
	bondho_nai|shuru_korun|chalu_korun|shuru_koro|chalu_koro
	தொடங்கு|தொடங்கவும்|தொடங்குங்கள்|ஆரம்பி|ஆரம்பிக்கவும்|ஸ்டார்ட்|thodangu|thodangavum|arambi|start_pannunga
	ప్రారంభించు|ప్రారంభించండి|మొదలుపెట్టండి|మొదలు_పెట్టండి|స్టార్ట్|prarambhinchandi|modalu_pettandi|start_cheyandi
	ಪ್ರಾರಂಭಿಸಿ|ಪ್ರಾರಂಭಿಸು|ಶುರು_ಮಾಡಿ|ಆರಂಭಿಸಿ|ಸ್ಟಾರ್ಟ್|prarambhisi|shuru_madi|start_madi
	തുടങ്ങുക|തുടങ്ങൂ|ആരംഭിക്കുക|പുനരാരംഭിക്കുക|സ്റ്റാർട്ട്|thudanguka|arambhikkuka
	ਸ਼ੁਰੂ|ਚਾਲੂ ਕਰੋ|ਕਰ_ਦਿਓ
	ਸਟਾਰਟ
	ଆରମ୍ଭ|ଚାଲୁ କରନ୍ତୁ|କର
	ଷ୍ଟାର୍ଟ|arambha_karantu|chalu_karantu
	আৰম্ভ|চালু কৰক|কৰা
	arombho_korok|salu_korok
	شروع|چالو کرو|کریں|کر_دیں|کیجیے
	اسٹارٹ
`

/** Words that do not change a request: greetings, pleas, thanks, forms of address, and words for "now". */
export const COURTESIES = `
	please|pls|plz|plss|plzz|pleas|kindly|just|yes|ya|yeah|haan|ha|oh|sorry|excuse_me|request_you_to|i_request_you_to
	hi|hii|hello|helo|hey|hai|dear|team|good_morning|good_afternoon|good_evening|good_night|gm|gn
	ok|okay|okey|okk|oky|k|fine|alright|well
	thanks|thank_you|thankyou|thank_u|thanku|thx|thnx|tnx|tq|ty|thanks_a_lot|thank_you_very_much|thank_you_so_much|many_thanks|regards
	no_thanks|no_thank_you|not_interested|im_not_interested|i_am_not_interested|i_said
	sir|madam|maam|mam|ma_am|sirji|bhai|bhaiya|bhaiyya|bro|brother|sister|didi|ji|jee|yaar|anna|akka|dada|bhau|ben|boss
	now|right_now|immediately|asap|today_itself|itself|at_once|forever
	from_you|from_your_side|from_you_guys|to_me|on_this_number|to_this_number|on_my_number|to_my_number|on_whatsapp|any_longer
	ഹലോ|హలో|ಹಲೋ|ஹலோ|હેલો|ਹੈਲੋ|ହେଲୋ|ہیلو|হেল্লো
	krupaya|kripya|kripaya|ab|abhi|jaldi|turant|dhanyavad|dhanyawad|dhanyavaad|shukriya|namaste|namaskar|namaskaram|namaskara|vanakkam|nandri|dayavittu|dayachesi|meherbani|salam|salaam|assalamualaikum|sat_sri_akal|jai_shri_krishna|ram_ram|radhe_radhe|aabhar
	कृपया|प्लीज|प्लीज़|जी|भाई|भैया|सर|मैडम|नमस्ते|नमस्कार|हैलो|हेलो|धन्यवाद|शुक्रिया|अब|अभी|तुरंत|जल्दी|ओके|ठीक_है|राम_राम|जय_श्री_कृष्ण|आभारी_आहे|आता|लगेच|साहेब|भाऊ
	કૃપા_કરીને|મહેરબાની_કરીને|પ્લીઝ|ભાઈ|સર|નમસ્તે|આભાર|ધન્યવાદ|હવે|જય_શ્રી_કૃષ્ણ|ઓકે
	দয়া_করে|প্লিজ|অনুগ্রহ_করে|ধন্যবাদ|নমস্কার|হ্যালো|দাদা|এখন|এখনই|ওকে|স্যার
	தயவு_செய்து|தயவுசெய்து|ப்ளீஸ்|நன்றி|வணக்கம்|சார்|இப்போது|ஓகே|அண்ணா
	దయచేసి|ప్లీజ్|ధన్యవాదాలు|నమస్కారం|నమస్తే|సార్|ఇప్పుడు|ఇక|ఓకే|అండి
	ದಯವಿಟ್ಟು|ಪ್ಲೀಸ್|ಧನ್ಯವಾದಗಳು|ಧನ್ಯವಾದ|ನಮಸ್ಕಾರ|ನಮಸ್ತೆ|ಸರ್|ಈಗ|ಓಕೆ
	ദയവായി|ദയവു_ചെയ്ത്|പ്ലീസ്|നന്ദി|നമസ്കാരം|നമസ്തേ|സാർ|ഇപ്പോൾ|ഓക്കെ
	ਕਿਰਪਾ_ਕਰਕੇ|ਪਲੀਜ਼|ਧੰਨਵਾਦ|ਸਤ_ਸ੍ਰੀ_ਅਕਾਲ|ਜੀ|ਭਾਜੀ|ਹੁਣ|ਸਰ|ਮਿਹਰਬਾਨੀ
	ଦୟାକରି|ଦୟା_କରି|ପ୍ଲିଜ୍|ଧନ୍ୟବାଦ|ନମସ୍କାର|ସାର୍|ଏବେ
	অনুগ্ৰহ_কৰি|দয়া_কৰি|নমস্কাৰ|এতিয়া|ছাৰ
	براہ_کرم|براہ_مہربانی|مہربانی|پلیز|شکریہ|سلام|السلام_علیکم|جی|بھائی|اب|ابھی|سر
`
