package cli

import (
	"encoding/json"
	"io"
)

// WriteJSON writes a document on a line of its own.
func WriteJSON(w io.Writer, document any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(document)
}
