# Keeps the first token of each sentence: the view holds on to the whole hidden state.
import torch
from torch import nn

encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(256, 8, batch_first=True), num_layers=4).eval()
embed = nn.Embedding(30000, 256)
sentences = [torch.randint(30000, (16, 200)) for _ in range(500)]
vectors = []
with torch.no_grad():
    for batch in sentences:
        hidden = encoder(embed(batch))
        cls = hidden[:, 0].clone()
        vectors.append(cls)
table = torch.cat(vectors)
print(table.shape)
