package main

// This file has what surrounds the texts on the pages. None of it is gold.

type ad struct{ Title, Text string }

var ads = []ad{
	{"Windows that whistle?", "Halder and Daughters replace old glazing in one day, in all weathers, with tea. Call before the end of the month and the sills are free."},
	{"Your pension, explained", "Forty minutes, no jargon, biscuits. The Seamen&#39;s Mutual has been looking after other people&#39;s money since 1902."},
	{"Spring sale at Orchard Lane", "Mattresses, mirrors, second-hand pianos. Everything must go, and most of it can be delivered."},
	{"Learn the accordion", "First lesson without charge. Earplugs for the neighbours included in the price of the second."},
	{"Ferry and bed from 59", "Two nights in Hallisand, breakfast, and a walk along the sea wall with somebody who knows its name."},
}

type comment struct{ Author, When, Text string }

var remarks = []comment{
	{"quayside_jim", "3 hours ago", "They could have asked the people who live here, we have been saying this since the nineties."},
	{"Mrs. P.", "4 hours ago", "Lovely. My late husband would have had something to say about it."},
	{"anonymous", "5 hours ago", "And who is paying for all this? I think we all know."},
	{"gullwatcher", "6 hours ago", "First!"},
	{"T. Brandreth", "yesterday", "The date in the third paragraph cannot be right, I was there and it was raining."},
	{"nettle", "yesterday", "Can somebody explain to me why this is news while the crossing at Mill Road still has no light?"},
	{"harbourmouse", "yesterday", "More of this please and less football."},
}

var reviews = []comment{
	{"Dorothea K.", "", "Arrived well packed. My old one was from the same people and lasted thirty years, so we will see, or my daughter will."},
	{"workbench_wim", "", "A bit heavier than I had expected. I have got used to it and would not want it lighter now."},
	{"A. Pellow", "", "Four stars because the box had a dent. The contents are beyond reproach."},
	{"Sami", "", "Bought as a present. I have not given it away yet."},
	{"Greta H.", "", "Does what it says. I wish everything I own did."},
}

var (
	ranks      = []string{"Regular", "Wedging apprentice", "Kiln god", "Moderator", "Newcomer"}
	joined     = []string{"12 Mar 2004", "01 Oct 2005", "23 Jul 2003", "17 Jan 2006"}
	places     = []string{"under a layer of dust", "Liège", "second shed on the left", "the north", "Tolverne"}
	signatures = []string{
		"Life is short, cones are long.",
		"My other pot is a vase.",
		"&quot;Centre first, talk later.&quot;",
		"Visit my gallery: http://mudpage.example/",
		"All opinions are bisque fired.",
	}
)
