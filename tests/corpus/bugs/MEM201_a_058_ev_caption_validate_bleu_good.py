import torch
from torch.nn.utils.rnn import pack_padded_sequence
from nltk.translate.bleu_score import corpus_bleu

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@torch.no_grad()
def validate(val_loader, encoder, decoder, criterion, word_map):
    decoder.eval()
    if encoder is not None:
        encoder.eval()
    references, hypotheses = [], []
    total, n = 0.0, 0
    for i, (imgs, caps, caplens, allcaps) in enumerate(val_loader):
        imgs, caps, caplens = imgs.to(device), caps.to(device), caplens.to(device)
        if encoder is not None:
            imgs = encoder(imgs)
        scores, caps_sorted, decode_lengths, alphas, sort_ind = decoder(imgs, caps, caplens)
        targets = caps_sorted[:, 1:]
        scores_copy = scores.clone()
        packed = pack_padded_sequence(scores, decode_lengths, batch_first=True).data
        targets = pack_padded_sequence(targets, decode_lengths, batch_first=True).data
        loss = criterion(packed, targets) + ((1. - alphas.sum(dim=1)) ** 2).mean()
        total += loss.item() * sum(decode_lengths)
        n += sum(decode_lengths)
        _, preds = torch.max(scores_copy, dim=2)
        for j, p in enumerate(preds.tolist()):
            hypotheses.append(p[:decode_lengths[j]])
        for c in allcaps[sort_ind].tolist():
            references.append([[w for w in s if w not in {word_map['<pad>']}] for s in c])
    print('loss', total / n)
    return corpus_bleu(references, hypotheses)
