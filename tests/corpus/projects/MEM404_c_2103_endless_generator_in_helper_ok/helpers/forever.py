def cycle(dl):
    while True:
        for b in dl:
            yield b
