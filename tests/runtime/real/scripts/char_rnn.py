"""A character model that carries its hidden state, and with it every graph, from chunk to chunk."""

import argparse
import random
import string

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--n_epochs", type=int, default=20)
parser.add_argument("--print_every", type=int, default=10)
parser.add_argument("--hidden_size", type=int, default=64)
parser.add_argument("--learning_rate", type=float, default=0.01)
parser.add_argument("--chunk_len", type=int, default=16)
parser.add_argument("--batch_size", type=int, default=16)
args = parser.parse_args()

all_characters = string.printable
n_characters = len(all_characters)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
random.seed(5)
torch.manual_seed(5)
text = "".join(random.choice(all_characters) for _ in range(5000))


class CharRNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.encoder = nn.Embedding(input_size, hidden_size)
        self.cell = nn.Linear(2 * hidden_size, hidden_size)
        self.decoder = nn.Linear(hidden_size, output_size)

    def forward(self, input, hidden):
        encoded = self.encoder(input)
        hidden = torch.tanh(self.cell(torch.cat([encoded, hidden], dim=1)))
        return self.decoder(hidden), hidden

    def init_hidden(self, batch_size):
        return torch.zeros(batch_size, self.hidden_size)


def char_tensor(characters):
    return torch.tensor([all_characters.index(c) for c in characters], dtype=torch.long)


def random_training_set(chunk_len, batch_size):
    inp = torch.empty(batch_size, chunk_len, dtype=torch.long)
    target = torch.empty(batch_size, chunk_len, dtype=torch.long)
    for b in range(batch_size):
        start = random.randint(0, len(text) - chunk_len - 2)
        chunk = text[start : start + chunk_len + 1]
        inp[b] = char_tensor(chunk[:-1])
        target[b] = char_tensor(chunk[1:])
    return inp.to(device), target.to(device)


decoder = CharRNN(n_characters, args.hidden_size, n_characters).to(device)
decoder_optimizer = torch.optim.SGD(decoder.parameters(), lr=args.learning_rate)
criterion = nn.CrossEntropyLoss()
hidden = decoder.init_hidden(args.batch_size).to(device)


def train(inp, target):
    global hidden
    decoder_optimizer.zero_grad()
    loss = 0
    for c in range(args.chunk_len):
        output, hidden = decoder(inp[:, c], hidden)
        loss += criterion(output, target[:, c])
    loss.backward(retain_graph=True)
    torch.nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)
    return loss


for epoch in range(1, args.n_epochs + 1):
    loss = train(*random_training_set(args.chunk_len, args.batch_size))
    with torch.no_grad():
        for p in decoder.parameters():
            p.data = p.data - args.learning_rate * p.grad
    if epoch % args.print_every == 0:
        print(f"[{epoch} {100 * epoch / args.n_epochs:.0f}%] {loss.item() / args.chunk_len:.4f}")
torch.save(decoder.state_dict(), "char-rnn.pt")
