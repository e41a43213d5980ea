# the handler raises an error of the project's own, which the block raises as well: nothing is tried again

from project.errors import TrainingError


def train(model, loader, optimizer):
    try:
        if not len(loader):
            raise TrainingError("there are no data", suggestion="give a folder")
        for x, y in loader:
            loss = model(x, y)
            loss.backward()
            optimizer.step()
    except Exception as error:
        message = str(error).lower()
        if "out of memory" in message or "cuda" in message:
            raise TrainingError(f"out of memory: {error}", suggestion="make the batch smaller") from error
        raise TrainingError(f"failed: {error}") from error
