//go:build race

package effort

const raceDetector = true
