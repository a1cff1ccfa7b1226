"""Embedders: a model that installs at once, ONNX folders, services, sentence-transformers."""
