package keep

// RespectOptOut is the expression of the flag --respect-optout: true unless the page, or its
// server, tells all robots that it must not be indexed, shown in pieces or used for
// training models, or reserves the rights of text and data mining, of search, or of training
// or using models. What is said to named
// robots is in the column robots_agents, for filters of those robots' owners.
const RespectOptOut = "not noai and not noimageai and not tdm_reservation and not noindex and not nosnippet and not train_ai_reserved and not ai_use_reserved and not search_reserved"

// RespectRobots is added to RespectOptOut in runs that read the robots.txt of hosts: none of
// the robots that the user named is forbidden to fetch the page.
const RespectRobots = "robots_disallows = \"\""
