// Package recipe connects the recipe of a run (schemas.Recipe) with the algorithms: it
// writes chosen extractors and scorers into a recipe, finds those of a recipe in this
// program, and turns the values of a recipe into the settings of a driver. The values
// themselves, their defaults and their validation belong to package schemas.
//
//	flags --choose--> extractors, scorers --Methods--> schemas.Recipe --> broker
//	schemas.Recipe --Find, DriverConfig--> driver.Config --> driver.New
//
// This package is internal to Winnow and may change in any release.
package recipe
