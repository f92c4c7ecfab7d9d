"""An atlas: what is known of the order of events in each of many cohorts, as a static site."""
