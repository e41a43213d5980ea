# the samples of a test are kept where an option asks for them, to be saved at the end

import pickle

from torch.utils.data import DataLoader


def evaluate(args, model, data):
    loader = DataLoader(data, batch_size=64)
    samples, errors = [], []
    for batch in loader:
        errors.append(model(batch).abs().mean().item())
        if args.save_samples:
            samples.append(batch)
    if args.save_samples:
        with open(args.out, "wb") as file:
            pickle.dump(samples, file)
    return errors
