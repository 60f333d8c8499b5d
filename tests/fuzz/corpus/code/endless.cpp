#define A A A
void k(float* x) {
    for (;;)
        for (;;) x[0x7fffffffffffffff * 2] = *x++;
}