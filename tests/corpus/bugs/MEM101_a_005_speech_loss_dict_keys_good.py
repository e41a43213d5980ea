import argparse
import torch
import yaml
from torch.utils.data import DataLoader

from dataset import SpeechDataset, collate
from model import FastSpeech
from loss import FastSpeechLoss


def main(args, configs):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    dataset = SpeechDataset("train.txt", configs)
    loader = DataLoader(dataset, batch_size=16, shuffle=True, collate_fn=collate, num_workers=4)
    model = FastSpeech(configs).to(device)
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    Loss = FastSpeechLoss().to(device)

    step = args.restore_step + 1
    epoch = 1
    sums = {"total": 0.0, "mel": 0.0, "pitch": 0.0, "duration": 0.0}
    while step < configs["total_step"]:
        for batch in loader:
            output = model(*(b.to(device) for b in batch))
            losses = Loss(batch, output)
            losses["total"].backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            for name in losses:
                sums[name] += losses[name].item()
            if step % configs["log_step"] == 0:
                print("step {}: {}".format(step, {k: float(v) / configs["log_step"] for k, v in sums.items()}))
                sums = dict.fromkeys(sums, 0.0)
            step += 1
        epoch += 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--restore_step", type=int, default=0)
    parser.add_argument("-c", "--config", type=str, required=True)
    args = parser.parse_args()
    main(args, yaml.safe_load(open(args.config)))
