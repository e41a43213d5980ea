"""Translation with attention: an encoder and a decoder, each with its optimizer, and teacher forcing."""

import argparse
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim

SOS_token = 0
EOS_token = 1
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class EncoderRNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.embedding = nn.Embedding(input_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size)

    def forward(self, input, hidden):
        embedded = self.embedding(input).view(1, 1, -1)
        return self.gru(embedded, hidden)

    def init_hidden(self):
        return torch.zeros(1, 1, self.hidden_size, device=device)


class AttnDecoderRNN(nn.Module):
    def __init__(self, hidden_size, output_size, max_length, dropout_p=0.1):
        super().__init__()
        self.embedding = nn.Embedding(output_size, hidden_size)
        self.attn = nn.Linear(hidden_size * 2, max_length)
        self.attn_combine = nn.Linear(hidden_size * 2, hidden_size)
        self.dropout = nn.Dropout(dropout_p)
        self.gru = nn.GRU(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, output_size)

    def forward(self, input, hidden, encoder_outputs):
        embedded = self.dropout(self.embedding(input).view(1, 1, -1))
        attn_weights = F.softmax(self.attn(torch.cat((embedded[0], hidden[0]), 1)), dim=1)
        attn_applied = torch.bmm(attn_weights.unsqueeze(0), encoder_outputs.unsqueeze(0))
        output = F.relu(self.attn_combine(torch.cat((embedded[0], attn_applied[0]), 1)).unsqueeze(0))
        output, hidden = self.gru(output, hidden)
        return F.log_softmax(self.out(output[0]), dim=1), hidden, attn_weights


def make_pair(words, length):
    source = [random.randrange(2, words) for _ in range(length - 1)] + [EOS_token]
    target = [random.randrange(2, words) for _ in range(length - 1)] + [EOS_token]
    as_tensor = lambda ids: torch.tensor(ids, dtype=torch.long, device=device).view(-1, 1)  # noqa: E731
    return as_tensor(source), as_tensor(target)


def train(input_tensor, target_tensor, encoder, decoder, encoder_optimizer, decoder_optimizer, criterion, args):
    encoder_hidden = encoder.init_hidden()
    encoder_optimizer.zero_grad()
    decoder_optimizer.zero_grad()
    input_length = input_tensor.size(0)
    target_length = target_tensor.size(0)
    encoder_outputs = torch.zeros(args.max_length, encoder.hidden_size, device=device)
    loss = 0
    for ei in range(input_length):
        encoder_output, encoder_hidden = encoder(input_tensor[ei], encoder_hidden)
        encoder_outputs[ei] = encoder_output[0, 0]
    decoder_input = torch.tensor([[SOS_token]], device=device)
    decoder_hidden = encoder_hidden
    use_teacher_forcing = random.random() < args.teacher_forcing_ratio
    for di in range(target_length):
        decoder_output, decoder_hidden, _ = decoder(decoder_input, decoder_hidden, encoder_outputs)
        loss += criterion(decoder_output, target_tensor[di])
        if use_teacher_forcing:
            decoder_input = target_tensor[di]
        else:
            _, topi = decoder_output.topk(1)
            decoder_input = topi.squeeze().detach()
    loss.backward()
    encoder_optimizer.step()
    decoder_optimizer.step()
    return loss.item() / target_length


def evaluate(encoder, decoder, sentence, args):
    with torch.no_grad():
        encoder_hidden = encoder.init_hidden()
        encoder_outputs = torch.zeros(args.max_length, encoder.hidden_size, device=device)
        for ei in range(sentence.size(0)):
            encoder_output, encoder_hidden = encoder(sentence[ei], encoder_hidden)
            encoder_outputs[ei] += encoder_output[0, 0]
        decoder_input = torch.tensor([[SOS_token]], device=device)
        decoder_hidden = encoder_hidden
        decoded = []
        attentions = torch.zeros(args.max_length, args.max_length)
        for di in range(args.max_length):
            output, decoder_hidden, attention = decoder(decoder_input, decoder_hidden, encoder_outputs)
            attentions[di] = attention.data
            topi = output.data.topk(1)[1]
            if topi.item() == EOS_token:
                break
            decoded.append(topi.item())
            decoder_input = topi.squeeze().detach()
    return decoded, attentions[: di + 1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--n-iters", type=int, default=60)
    parser.add_argument("--print-every", type=int, default=20)
    parser.add_argument("--hidden-size", type=int, default=96)
    parser.add_argument("--max-length", type=int, default=10)
    parser.add_argument("--words", type=int, default=600)
    parser.add_argument("--teacher-forcing-ratio", type=float, default=0.5)
    args = parser.parse_args()
    random.seed(11)
    torch.manual_seed(11)
    encoder = EncoderRNN(args.words, args.hidden_size).to(device)
    decoder = AttnDecoderRNN(args.hidden_size, args.words, args.max_length).to(device)
    encoder_optimizer = optim.SGD(encoder.parameters(), lr=0.01)
    decoder_optimizer = optim.SGD(decoder.parameters(), lr=0.01)
    pairs = [make_pair(args.words, args.max_length) for _ in range(200)]
    criterion = nn.NLLLoss()
    start = time.time()
    plot_losses, total = [], 0.0
    for it in range(1, args.n_iters + 1):
        source, target = random.choice(pairs)
        total += train(source, target, encoder, decoder, encoder_optimizer, decoder_optimizer, criterion, args)
        if it % args.print_every == 0:
            plot_losses.append(total / args.print_every)
            print(f"{time.time() - start:.1f} s ({it} {it / args.n_iters:.0%}) {plot_losses[-1]:.4f}")
            total = 0.0
    for _ in range(3):
        words, _ = evaluate(encoder, decoder, random.choice(pairs)[0], args)
        print("<", " ".join(map(str, words)))
    torch.save({"encoder": encoder.state_dict(), "decoder": decoder.state_dict()}, "seq2seq.pt")


if __name__ == "__main__":
    main()
