# the first row is a view like those of the list beside it: nothing of the tensor is kept in vain

import torch


def sentences_of(encoder, head, loader):
    sentences = []
    for tags, words in loader:
        encoded = head(encoder(words.cuda()))
        sentence = [encoded[0, :]]
        sentence += [encoded[i + 1, :] for i, tag in tags]
        sentences.append(sentence)
    return sentences
