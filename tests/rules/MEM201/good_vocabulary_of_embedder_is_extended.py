# these methods prepare parts of a model, and compute nothing

import torch


def evaluate_archives(model, readers, evaluator):
    model.eval()
    for reader in readers:
        model.extend_embeddings(reader)
        model.expand_embedding_table(len(reader))
        with torch.no_grad():
            evaluator(model, reader)
