"""OpenSearch and Elasticsearch as systems, through their official clients."""
