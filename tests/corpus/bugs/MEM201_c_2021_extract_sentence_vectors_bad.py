# Extracts one vector for each line of a text file with a small encoder.
import argparse

import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self, vocab, hidden, pooling):
        super().__init__()
        self.embedding = nn.Embedding(vocab, hidden)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(hidden, 4, batch_first=True), 2)
        self.pooling = pooling

    def forward(self, src, seg):
        output = self.encoder(self.embedding(src) * seg.unsqueeze(-1))
        return output[:, 0, :] if self.pooling == "first" else output.mean(1)


def batch_loader(batch_size, src, seg):
    for i in range(0, src.size(0), batch_size):
        yield i, src[i:i + batch_size], seg[i:i + batch_size]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--vec_path", default="vectors.pt")
    parser.add_argument("--batch_size", type=int, default=64)
    args = parser.parse_args()
    device = torch.device("cpu" if args.cpu or not torch.cuda.is_available() else "cuda")
    model = Encoder(1000, 64, "first").to(device)
    model.eval()
    src, seg = torch.randint(1000, (6400, 48)), torch.ones(6400, 48)
    feature_vectors = []
    for i, src_batch, seg_batch in batch_loader(args.batch_size, src, seg):
        src_batch = src_batch.to(device)
        seg_batch = seg_batch.to(device)
        output = model(src_batch, seg_batch)  #= MEM102 #! MEM201
        feature_vectors.append(output)  #! MEM102
    feature_vectors = torch.cat(feature_vectors, 0)
    print("The size of feature vectors (sentences_num * vector size): {}".format(feature_vectors.shape))
    torch.save(feature_vectors, args.vec_path)
