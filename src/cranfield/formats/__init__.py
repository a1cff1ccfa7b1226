"""Files and objects of every format, read into columns and written from them."""
