-- Search finds Zébra by zebra, and O’Brien by O'Brien: the texts of contacts with such letters are written anew, folded as
-- search-text.ts folds them. A letter that is not ASCII is five capitals, as in 0009. Other contacts stay as they are.
update contacts c
set search_text = (
	select string_agg(
		case when ascii(letter) < 128 then letter else
			chr(65 + ascii(letter) % 13) || chr(78 + ascii(letter) / 13 % 13) || chr(78 + ascii(letter) / 169 % 13)
				|| chr(78 + ascii(letter) / 2197 % 13) || chr(78 + ascii(letter) / 28561 % 13)
		end, '' order by place
	)
	from regexp_split_to_table(
		translate(
			replace(replace(replace(
				lower(normalize(
					regexp_replace(
						normalize(normalize(replace(concat_ws(' ', c.first_name, c.last_name), E'\u00b4', ''''), NFKC), NFD),
						'[\u0300-\u036f]', '', 'g'
					),
					NFC
				)),
				'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
			E'\u00f8\u0142\u0111\u0131\u2018\u2019\u201a\u201b\u02bc\u02b9\u0060\u2032\u201c\u201d\u201e\u201f\u2010\u2011\u2012\u2013\u2014\u2015\u2212',
			'oldi''''''''''''''''""""-------'
		) || E'\n' || c.number, ''
	) with ordinality as letters (letter, place)
)
where concat_ws(' ', c.first_name, c.last_name) ~ '[\u0060\u00b4\u00c0-\u036f\u1e00-\u1eff\u2010-\u201f\u2032\u2033\u2212]';
