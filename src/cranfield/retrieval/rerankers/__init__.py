"""Rerankers: ONNX cross-encoders, services, language models, embeddings."""
