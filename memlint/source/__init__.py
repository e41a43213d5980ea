"""Files and their text: finding them, decoding, notebooks."""
