package cli

import (
	"encoding/json"
	"io"
)

// WriteJSON writes a document as one line.
func WriteJSON(w io.Writer, document any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(document)
}
