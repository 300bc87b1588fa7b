package main

import (
	"reflect"
	"slices"
	"testing"
)

func TestPlanFollowsFromItsSeed(t *testing.T) {
	different := 0
	for seed := range uint64(200) {
		p := newPlan(seed, allKinds)
		if again := newPlan(seed, allKinds); !reflect.DeepEqual(p, again) {
			t.Fatalf("seed %d has two plans:\n%+v\n%+v", seed, p, again)
		}
		if !reflect.DeepEqual(p.Events, newPlan(seed+1, allKinds).Events) {
			different++
		}
	}
	if different < 199 {
		t.Errorf("only %d of 200 plans differ from the next", different)
	}
}

func TestPlanTriesEveryKindEqually(t *testing.T) {
	first := map[kind]int{}
	for seed := range uint64(len(allKinds) * 3) {
		first[newPlan(seed, allKinds).Kinds[0]]++
	}
	for _, k := range allKinds {
		if first[k] != 3 {
			t.Errorf("%s comes first in %d plans of %d, want 3", k, first[k], len(allKinds)*3)
		}
	}
}

func TestPlanIsPossible(t *testing.T) {
	for seed := range uint64(2000) {
		p := newPlan(seed, allKinds)
		if len(p.Events) == 0 || !slices.IsSortedFunc(p.Events, func(a, b event) int { return int(a.At - b.At) }) {
			t.Fatalf("seed %d: events %v", seed, p.Events)
		}
		if !compatible(p.Kinds) || p.Bucket && p.Disk || (p.Nodes == 3) != slices.ContainsFunc(p.Kinds, ofCluster) {
			t.Errorf("seed %d: %d brokers, %v", seed, p.Nodes, p.Kinds)
		}
		count := map[kind]int{}
		for _, e := range p.Events {
			count[e.Kind]++
			if (e.Kind == clock) != (e.By != 0) {
				t.Errorf("seed %d: %v sets a clock by %s", seed, e, e.By)
			}
			if !slices.Contains(p.Kinds, e.Kind) || e.Target == "" || e.At < 0 || e.At > lastFault || e.For <= 0 {
				t.Errorf("seed %d: %v is not of %v", seed, e, p.Kinds)
			}
		}
		for _, k := range p.Kinds {
			if count[k] == 0 || count[k] > 1 && single(k) {
				t.Errorf("seed %d: %s happens %d times", seed, k, count[k])
			}
		}
	}
}

func TestParseKinds(t *testing.T) {
	if got, err := parseKinds("wipe, kill,kill"); err != nil || !slices.Equal(got, []kind{wipe, kill}) {
		t.Error(got, err)
	}
	if got, err := parseKinds("all"); err != nil || len(got) != len(allKinds) {
		t.Error(got, err)
	}
	for _, s := range []string{"", "fire", "kill,"} {
		if got, err := parseKinds(s); err == nil {
			t.Errorf("%q: %v", s, got)
		}
	}
}
